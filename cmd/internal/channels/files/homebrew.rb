# Written by cmd/internal/channels from the checksums of the release.
class Amlfix < Formula
  desc "<<summary>>"
  homepage "<<homepage>>"
  version "<<.Version>>"
  license "<<license>>"

  on_macos do
    on_arm do
<<- with .Archive "darwin" "arm64">>
      url "<<.URL>>"
      sha256 "<<.Sum>>"
<<- end>>
    end
    on_intel do
<<- with .Archive "darwin" "amd64">>
      url "<<.URL>>"
      sha256 "<<.Sum>>"
<<- end>>
    end
  end

  on_linux do
    on_arm do
<<- with .Archive "linux" "arm64">>
      url "<<.URL>>"
      sha256 "<<.Sum>>"
<<- end>>
    end
    on_intel do
<<- with .Archive "linux" "amd64">>
      url "<<.URL>>"
      sha256 "<<.Sum>>"
<<- end>>
    end
  end

  def install
    bin.install "amlfix"
    man1.install "extras/amlfix.1"
    bash_completion.install "extras/amlfix.bash" => "amlfix"
    zsh_completion.install "extras/amlfix.zsh" => "_amlfix"
    fish_completion.install "extras/amlfix.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/amlfix --version")
  end
end

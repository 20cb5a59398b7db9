# ruby formula.rb FORMULA ARCHIVES PREFIX: does what Homebrew on Linux (x64) does with a
# formula whose files are downloaded: compares the checksum, unpacks, calls its install
# and its test. Homebrew itself is in no package registry.
require "digest"
require "fileutils"

formula, archives, PREFIX = ARGV

class Folder < String
  def install(what)
    FileUtils.mkdir_p(self)
    pairs = what.is_a?(Hash) ? what : { what => File.basename(what) }
    pairs.each { |from, to| FileUtils.cp(from, File.join(self, to)) }
  end
end

class Formula
  FACTS = {}
  class << self
    attr_reader :check

    [:desc, :homepage, :version, :license, :url, :sha256].each { |name| define_method(name) { |value| FACTS[name] = value } }
    def on_linux = yield
    def on_intel = yield
    def on_macos = nil
    def on_arm = nil
    def test(&block) = @check = block
  end

  { bin: "bin", man1: "share/man/man1", bash_completion: "etc/bash_completion.d", zsh_completion: "share/zsh/site-functions",
    fish_completion: "share/fish/vendor_completions.d" }.each { |name, path| define_method(name) { Folder.new(File.join(PREFIX, path)) } }
  def version = FACTS[:version]
  def shell_output(command) = `#{command}`
  def assert_match(text, output) = output.include?(text) || abort("#{output.inspect} does not hold #{text}")
end

load formula
file = File.join(archives, File.basename(Formula::FACTS[:url]))
abort "#{file} has another checksum" unless Digest::SHA256.file(file).hexdigest == Formula::FACTS[:sha256]
FileUtils.mkdir_p(PREFIX)
Dir.chdir(PREFIX) { system("tar", "-xzf", file, exception: true) }
Dir.chdir(PREFIX) { Amlfix.new.install }
Amlfix.new.instance_exec(&Amlfix.check)

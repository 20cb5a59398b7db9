# Written by cmd/internal/channels from the checksums of the release.
{
  description = "<<summary>>";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      archives = {
<<- with .Archive "linux" "amd64">>
        x86_64-linux = { url = "<<.URL>>"; sha256 = "<<.Sum>>"; };
<<- end>>
<<- with .Archive "linux" "arm64">>
        aarch64-linux = { url = "<<.URL>>"; sha256 = "<<.Sum>>"; };
<<- end>>
<<- with .Archive "darwin" "amd64">>
        x86_64-darwin = { url = "<<.URL>>"; sha256 = "<<.Sum>>"; };
<<- end>>
<<- with .Archive "darwin" "arm64">>
        aarch64-darwin = { url = "<<.URL>>"; sha256 = "<<.Sum>>"; };
<<- end>>
      };
      package = system: archive:
        let pkgs = nixpkgs.legacyPackages.${system}; in
        rec {
          amlfix = pkgs.stdenvNoCC.mkDerivation {
            pname = "<<name>>";
            version = "<<.Version>>";
            src = pkgs.fetchurl archive;
            sourceRoot = ".";
            dontConfigure = true;
            dontBuild = true;
            nativeBuildInputs = [ pkgs.installShellFiles ];
            installPhase = ''
              runHook preInstall
              install -Dm755 amlfix $out/bin/amlfix
              installManPage extras/amlfix.1
              installShellCompletion --name amlfix --bash extras/amlfix.bash --fish extras/amlfix.fish
              installShellCompletion --name _amlfix --zsh extras/amlfix.zsh
              runHook postInstall
            '';
            meta = {
              description = "<<summary>>";
              homepage = "<<homepage>>";
              license = pkgs.lib.licenses.mit;
              mainProgram = "amlfix";
              sourceProvenance = [ pkgs.lib.sourceTypes.binaryNativeCode ];
            };
          };
          default = amlfix;
        };
    in
    { packages = builtins.mapAttrs package archives; };
}

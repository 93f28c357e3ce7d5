import ArgumentParser

/// What a shell needs to complete command lines.
struct CompletionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions", abstract: "Print completions for a shell.",
        discussion: """
            bash: plimsoll completions bash > ~/.local/share/bash-completion/completions/plimsoll. zsh: into a file \
            _plimsoll in a folder of fpath. fish: into ~/.config/fish/completions/plimsoll.fish.
            """)

    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish
    }

    @Argument(help: "Shell: bash, zsh or fish.")
    var shell: Shell

    func run() {
        let script =
            switch shell {
            case .bash: Plimsoll.completionScript(for: .bash)
            case .zsh: Plimsoll.completionScript(for: .zsh)
            case .fish: Plimsoll.completionScript(for: .fish)
            }
        Console().document(script.hasSuffix("\n") ? script : script + "\n")
    }
}

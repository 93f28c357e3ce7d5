import Diagnostics
import Transport

// The program git: how it is run for a target, and what its failures mean.

extension GitTarget {
    /// Runs git to its end and gives what it printed.
    ///
    /// - Parameters:
    ///   - asks: whether it talks to the remote, for which it may need credentials.
    ///   - isIn: whether it works in the copy.
    @discardableResult
    func git(
        _ arguments: [String], input: [UInt8] = [], index: String? = nil, at instant: String? = nil,
        asks: Bool = false, isIn: Bool = true
    ) async throws(Diagnostic) -> [UInt8] {
        let result = try await run(arguments, input, index, at: instant, asks: asks, isIn: isIn)
        guard result.status == 0 else { throw failure(result, arguments) }
        return result.output
    }

    func run(
        _ arguments: [String], _ input: [UInt8] = [], _ index: String? = nil, at instant: String? = nil,
        asks: Bool = false, isIn: Bool = true
    ) async throws(Diagnostic) -> ChildProcess.Result {
        var variables = environment.filter { !$0.key.hasPrefix("GIT_") }
        variables["GIT_CONFIG_GLOBAL"] = "/dev/null"
        variables["GIT_CONFIG_NOSYSTEM"] = "1"
        variables["GIT_TERMINAL_PROMPT"] = "0"
        // A host that was not named gets no token and no site.
        variables["GIT_CONFIG_COUNT"] = "1"
        variables["GIT_CONFIG_KEY_0"] = "http.followRedirects"
        variables["GIT_CONFIG_VALUE_0"] = "false"
        variables["LC_ALL"] = "C"
        if isIn { variables["GIT_DIR"] = repository }
        if let index { variables["GIT_INDEX_FILE"] = index }
        for role in ["AUTHOR", "COMMITTER"] {
            variables["GIT_\(role)_NAME"] = Self.name
            variables["GIT_\(role)_EMAIL"] = Self.mail
            variables["GIT_\(role)_DATE"] = instant
        }
        let helper = asks ? try GitAskpass(access, for: remote) : nil
        defer { withExtendedLifetime(helper) {} }
        if let helper { variables.merge(helper.variables) { $1 } }
        return try await ChildProcess(
            program: "git", arguments: arguments, environment: variables, folder: folder, input: input,
            mostSeconds: mostSeconds
        ).run()
    }

    func failure(_ result: ChildProcess.Result, _ arguments: [String]) -> Diagnostic {
        let redaction = Redaction([access.token].compactMap(\.self))
        let lines = result.lastLines(redaction)
        if result.errors.contains("returned error: 30") {
            return .error(
                "publish.git", "The server of \(place) redirects to another URL; nothing was published",
                details: lines, hints: ["write the URL that it leads to as 'remote'; 'curl -I' prints it"])
        }
        let refusals = ["protected branch", "non-fast-forward", "GH006"]
        if !keepsHistory, arguments.first == "push", refusals.contains(where: result.errors.contains) {
            return .error(
                "publish.git", "The branch of \(place) may not be replaced; nothing was published",
                details: lines,
                hints: ["write 'history: keep', or allow forced pushes to the branch at the code host"])
        }
        return .error(
            "publish.git", "git \(arguments.first ?? "") failed for \(place)", details: lines,
            hints: [
                SSHProgram.nextStep(lines)
                    ?? "check 'remote' and the right to write to the branch: 'token' for https, 'sshKey' and 'knownHosts' for ssh"
            ])
    }
}

/// What proves to a remote who publishes.
struct GitAccess: Sendable {
    let user: String
    let token: Secret?
    let ssh: SSHProgram
}

/// What git and ssh ask for credentials: a small program and a file that only this user may read, so that no secret
/// is an argument or a variable.
///
/// It answers for the origin of the remote alone: a proxy, or wherever else git may get to, is not to have the token.
struct GitAskpass {
    private let scratch: ScratchFolder
    let variables: [String: String]

    init(_ access: GitAccess, for remote: String) throws(Diagnostic) {
        scratch = try ScratchFolder()
        var variables = ["GIT_SSH_COMMAND": access.ssh.command]
        if let token = access.token, let origin = HTTPOrigin(remote) {
            let secret = try scratch.file("token", token.signingBytes)
            variables["GIT_ASKPASS"] = try scratch.program(
                "askpass",
                """
                case "$1" in
                \(shellWord("Username for '\(origin.text)': "))) printf '%s\\n' \(shellWord(access.user)) ;;
                \(origin.prompts(forPasswordOf: access.user))) cat \(shellWord(secret)) ;;
                *) exit 1 ;;
                esac
                """)
        }
        self.variables = variables
    }
}

/// Scheme and host of a remote, as git names them when it asks.
private struct HTTPOrigin {
    let scheme: String
    let host: String

    init?(_ remote: String) {
        guard let end = remote.firstRange(of: "://") else { return nil }
        scheme = String(remote[..<end.lowerBound])
        host = String(remote[end.upperBound...].prefix { !"/?#".contains($0) })
        guard ["http", "https"].contains(scheme) else { return nil }
    }

    var text: String { "\(scheme)://\(host)" }

    /// The questions for the password as patterns of a shell: since 2.48 git escapes the user in them.
    func prompts(forPasswordOf user: String) -> String {
        let users = [user, percentEncoded(user)].map { "\(scheme)://\($0)@\(host)" }
        return (users + [text]).map { shellWord("Password for '\($0)': ") }.joined(separator: "|")
    }
}

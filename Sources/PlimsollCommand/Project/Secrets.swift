import Configuration
import Diagnostics
import Site
import Transport

extension Project {
    /// The secret that a reference names.
    func secret(_ reference: SecretReference, at location: Location) throws(Diagnostic) -> Secret {
        switch reference {
        case .environment(let name):
            guard let text = environment[name], let secret = Secret(text) else {
                throw .error(
                    "config.unset-token", "The variable \(name) is not set, so there is no token",
                    at: location,
                    hints: ["set it for the job that runs plimsoll: export \(name)=…"])
            }
            return secret
        case .file(let file):
            do throws(FileFailure) {
                let bytes = try readFile(path(file), limit: 1 << 16)
                if let secret = Secret(String(decoding: bytes, as: UTF8.self)) { return secret }
            } catch {
                throw error.diagnostic
            }
            throw .error(
                "config.empty-token", "The token file '\(file)' holds no token", at: location,
                hints: ["write the token into it, on one line"])
        }
    }
}

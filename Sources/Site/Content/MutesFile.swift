package import Analysis
package import AppHealth
import Configuration
package import Diagnostics
import Files

/// Reads `mutes.yml` in the folder of the owner's pages; a file that is missing has no mutes.
///
/// - Parameters:
///   - name: the folder as messages and pages show it, so that no page reports where it lies on this machine.
///   - apps: the apps of the configuration.
package func readMutesFile(
    in folder: String, shownAs name: String, apps: [Slug]
) -> ([Mute], [Diagnostic]) {
    let file = folder + "/mutes.yml"
    do throws(FileFailure) {
        guard try knownKind(file) != .missing else { return ([], []) }
        let bytes = try readFile(file, limit: 4 << 20)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            return (
                [],
                [
                    .usage(
                        "config.not-utf8", "Mutes are not UTF-8 text", at: .file(path: file),
                        hints: ["save the file as UTF-8"])
                ]
            )
        }
        return readMutes(text, path: name + "/mutes.yml", apps: apps)
    } catch {
        return ([], [error.diagnostic])
    }
}

import AppHealth
import Configuration
import Diagnostics
import Files
import Foundation
import Platform
import Providers
import Settings
import Site
import Transport

extension Project {
    /// The secret that a reference names, for a header.
    func secret(_ reference: SecretReference, at location: Location) throws(Diagnostic) -> Secret {
        let bytes = try secretBytes(reference, at: location)
        do throws(Diagnostic) {
            return try SecretBytes(bytes, from: words(reference)).headerValue()
        } catch {
            var diagnostic = error
            diagnostic.location = location
            throw diagnostic
        }
    }

    /// The text that a reference names, such as a key file; never empty.
    func secretBytes(_ reference: SecretReference, at location: Location) throws(Diagnostic) -> [UInt8] {
        let bytes: [UInt8]
        switch reference {
        case .environment(let name): bytes = Array((environment[name] ?? "").utf8)
        case .file(let file):
            do throws(FileFailure) {
                bytes = try readFile(path(file), limit: 1 << 16)
            } catch {
                throw error.diagnostic
            }
        }
        let isBlank = bytes.allSatisfy { $0 <= UInt8(ascii: " ") }
        if !isBlank { return bytes }
        guard case .environment(let name) = reference else {
            throw .error(
                "config.empty-token", "\(words(reference)) is empty", at: location,
                hints: ["write the token or key into it"])
        }
        throw .error(
            "config.unset-token", "Environment variable \(name) is not set", at: location,
            hints: ["set it for the job that runs plimsoll: export \(name)=…"])
    }

    /// What a reference names, in words.
    func words(_ reference: SecretReference) -> String {
        switch reference {
        case .environment(let name): "Environment variable \(name)"
        case .file(let file): "File '\(file)'"
        }
    }
}

/// The folder with the default theme and the demo, found from any working directory.
///
/// Looked for in the variable `PLIMSOLL_DATA`, then in `share/plimsoll` next to the folder of the program, then in
/// the folders above the program, where a checkout has them.
func installedData(_ environment: [String: String]) throws(Diagnostic) -> String {
    var places: [String] = []
    if let named = environment["PLIMSOLL_DATA"], !named.isEmpty { places.append(named) }
    if let program = programPath() {
        var folder = splitPath(program).folder
        places.append(splitPath(folder).folder + "/share/plimsoll")
        for _ in 0..<6 {
            folder = splitPath(folder).folder
            places.append(folder)
        }
    }
    var refusal: FileFailure?
    for place in places {
        do throws(FileFailure) {
            if try knownKind(place + "/Themes/default") == .folder { return place }
        } catch {
            refusal = refusal ?? error
        }
    }
    if let refusal { throw refusal.diagnostic }
    throw .error(
        "install.no-data", "Default theme not found",
        details: ["searched: " + places.joined(separator: ", ")],
        hints: [
            "install plimsoll with 'make install', or set PLIMSOLL_DATA to the folder that holds Themes and Content"
        ])
}

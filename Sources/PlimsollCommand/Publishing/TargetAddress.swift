import Configuration
import Files
import Foundation
import Settings

extension Project {
    /// A digest of where a publish target is, as the configuration says it: the same for each project that names this
    /// place, wherever its configuration is, and with or without its secrets.
    func address(of target: BlockConfiguration) -> String {
        let lines = target.schema.keys.compactMap { key -> String? in
            guard case .text(let text)? = target.settings.values[key.name] else { return nil }
            switch key.kind {
            case .path, .pathOrURL: return key.isRequired ? "\(key.name) \(fixedPath(text))" : nil
            case .text, .textOrVariable: return "\(key.name) \(text)"
            default: return nil
            }
        }
        let text = ([target.schema.name] + lines).joined(separator: "\n")
        return String(contentHash(Array(text.utf8)).prefix(16))
    }

    /// A path of the configuration from the root, also where the configuration is found through a link.
    private func fixedPath(_ path: String) -> String {
        let home = URL(fileURLWithPath: absolutePath(folder)).resolvingSymlinksInPath().path
        return URL(fileURLWithPath: path.hasPrefix("/") ? path : home + "/" + path).standardized.path
    }
}

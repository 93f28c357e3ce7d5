import Diagnostics

/// Which part of the work of a site a build does.
package enum BuildScope: Sendable {
    /// All of it.
    case site
    /// The pages of its apps alone, into a folder that another build takes them from.
    case part(folder: String)
    /// All of it, with the apps that are in the folders of parts taken from them.
    case joined(folders: [String])

    /// The folder of the site that a build with this scope writes, where it is not the project's own.
    package var output: String? {
        if case .part(let folder) = self { SitePart.siteFolder(folder) } else { nil }
    }

    /// Whether no other machine takes part in it.
    package var isWhole: Bool { if case .site = self { true } else { false } }

    /// Whether only pages of apps are made.
    var isPart: Bool { if case .part = self { true } else { false } }

    /// What the parts hold.
    ///
    /// - Throws: what is wrong with the first folder that is none.
    func parts() throws(Diagnostics) -> [SitePart] {
        guard case .joined(let folders) = self else { return [] }
        do throws(Diagnostic) {
            var parts: [SitePart] = []
            for folder in folders { parts.append(try SitePart(folder)) }
            return parts
        } catch {
            throw Diagnostics([error])
        }
    }
}

import Configuration
import Cryptography
import Files
import Platform

/// Where a site is: the folder that visitors see, or the link of a build that leads to it.
struct SitePlace: Sendable {
    /// What a build puts its site in the place of: a folder, or a link of ours to one next to it.
    let output: String
    /// The folder above, and the name in it.
    let parent: String
    let name: String
    /// The link of an earlier build with `swap: link` that leads to the output, which is a folder again.
    private let formerLink: String?

    /// Follows the links of others: what they lead to is replaced. A link of ours is followed only where a build is to
    /// replace the folder that it leads to.
    init(_ path: String, _ swap: SiteSwap) {
        let path = namedPath(path)
        let link = SitePlace.ownLink(from: path)
        let target = targetOfLink(path)
        self.init(output: swap == .link ? link ?? target : target, formerLink: swap == .link ? nil : link)
    }

    private init(output: String, formerLink: String? = nil) {
        self.output = output
        self.formerLink = formerLink
        (parent, name) = splitPath(output)
    }

    /// The place of the link of an earlier build that leads here; nil when there is none.
    var former: SitePlace? { formerLink.map { SitePlace(output: $0) } }

    /// The folder that the link of a build leads to, by its name in the folder above; nil when there is none.
    var linked: String? { SitePlace.ownTarget(of: output) }

    /// The link to the folder of the site before, which is kept.
    var previousLink: String { "\(parent)/.\(name).previous" }

    /// The folder of the site before, by its name in the folder above.
    var previous: String? {
        linkTarget(previousLink).flatMap { SitePlace.isLinkedName($0, of: name) ? $0 : nil }
    }

    /// The name of a folder that a link of ours may lead to.
    func linkedName(_ id: String) -> String { ".\(name).linked-\(id)" }

    /// The names of all such folders next to the site.
    var linkedNames: [String] {
        ((try? folderNames(parent)) ?? []).filter { SitePlace.isLinkedName($0, of: name) }
    }

    private static func ownTarget(of link: String) -> String? {
        linkTarget(link).flatMap { isLinkedName($0, of: splitPath(link).name) ? $0 : nil }
    }

    private static func isLinkedName(_ text: String, of name: String) -> Bool {
        let prefix = ".\(name).linked-"
        return text.hasPrefix(prefix) && isStagingID(text.dropFirst(prefix.count))
    }

    /// The link of a build at the end of other links; nil when there is none.
    private static func ownLink(from path: String) -> String? {
        var place = path
        // As many as the kernel follows.
        for _ in 0..<40 {
            if ownTarget(of: place) != nil { return place }
            guard let target = linkTarget(place) else { return nil }
            place = target.hasPrefix("/") ? target : splitPath(place).folder + "/" + target
        }
        return nil
    }
}

/// Whether a text is what tells the folders of builds apart: 32 hexadecimal digits.
func isStagingID(_ text: some StringProtocol) -> Bool {
    text.utf8.count == 32 && text.utf8.allSatisfy(isLowerHexadecimal)
}

/// How a page writes the addresses of other pages.
package enum Links: Sendable {
    /// Relative to the page, so that a site works from any folder and from `file://`.
    case relative(from: SitePath)
    /// Under the site's own address, for text that leaves the site, such as release notes.
    case absolute(base: String)
    /// Within a file that holds several pages, each under its address as an anchor; to other pages as `absolute`,
    /// and nowhere when the site has no address.
    case within(Set<SitePath>, base: String?)
    /// There is nothing to link to.
    case absent

    /// The address of a page without its ending; nil when there is nothing to link to.
    package func stem(to target: SitePath) -> String? {
        switch self {
        case .relative(let page): target.stem(from: page)
        case .absolute(let base): base.hasSuffix("/") ? base + target.stem : base + "/" + target.stem
        case .within(let pages, let base):
            pages.contains(target)
                ? "#" + target.stem : base.flatMap { Links.absolute(base: $0).stem(to: target) }
        case .absent: nil
        }
    }
}

/// How a page writes the addresses of other pages.
package enum Links: Sendable {
    /// Relative to the page, so that a site works from any folder and from `file://`.
    case relative(from: SitePath)
    /// Under the site's own address, for text that leaves the site, such as release notes.
    case absolute(base: String)
    /// There is nothing to link to.
    case absent

    /// The address of a page without its ending; nil when there is nothing to link to.
    package func stem(to target: SitePath) -> String? {
        switch self {
        case .relative(let page): target.stem(from: page)
        case .absolute(let base): base.hasSuffix("/") ? base + target.stem : base + "/" + target.stem
        case .absent: nil
        }
    }
}

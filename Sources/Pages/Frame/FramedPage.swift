package import Templates

/// A page with a frame around it.
package protocol FramedPage: TemplateModel {
    /// What stands around the page.
    var frame: Frame { get set }
}

extension PortfolioPage: FramedPage {}
extension AppPage: FramedPage {}
extension ActivityPage: FramedPage {}
extension IssuesPage: FramedPage {}
extension IssuePage: FramedPage {}
extension ReleasesPage: FramedPage {}
extension ReleasePage: FramedPage {}
extension ComparePage: FramedPage {}
extension DayPage: FramedPage {}
extension UsagePage: FramedPage {}
extension MethodsPage: FramedPage {}
extension HealthPage: FramedPage {}
extension NotFoundPage: FramedPage {}
extension ContentPage: FramedPage {}

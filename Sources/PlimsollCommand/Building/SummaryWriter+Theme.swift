import Diagnostics
import Markup
import Pages
import Site
import Templates

/// The writer of summaries, with the template of the project's theme when it has one.
func summaryWriter(_ project: Project) throws(Diagnostics) -> SummaryWriter {
    let layers: ThemeLayers
    do throws(Diagnostic) {
        layers = try project.themeLayers()
    } catch {
        throw Diagnostics([error])
    }
    if case .missing = layers.lookup(.page, SummaryDocument.modelName, .markdown) {
        return SummaryWriter(template: nil)
    }
    var library = TemplateLibrary(lookup: layers.lookup, assets: ThemeAssets.load(layers).0.names)
    do throws(TemplateErrors) {
        return SummaryWriter(
            template: try library.template(
                SummaryDocument.modelName, for: SummaryDocument.self, in: .markdown))
    } catch {
        throw Diagnostics(error.errors.map(\.diagnostic))
    }
}

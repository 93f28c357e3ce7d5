import Diagnostics
import Markup
import Pages
import Site
import Templates

/// The template of summaries, from the theme of the project.
func template(_ project: Project) throws(Diagnostics) -> Template<SummaryDocument> {
    let layers: ThemeLayers
    do throws(Diagnostic) {
        layers = try project.themeLayers()
    } catch {
        throw Diagnostics([error])
    }
    var library = TemplateLibrary(lookup: layers.lookup, assets: ThemeAssets.load(layers).0.names)
    do throws(TemplateErrors) {
        return try library.template(SummaryDocument.modelName, for: SummaryDocument.self, in: .markdown)
    } catch {
        throw Diagnostics(error.errors.map(\.diagnostic))
    }
}

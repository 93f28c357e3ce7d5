package import Analysis
import AppHealth
import Formatting

extension AppPage {
    /// The texts that follow from the instant of the report alone: the instant, and how old each source is at it.
    package var instantTexts: [String] {
        get { [frame.asOf ?? ""] + sources.map(\.age) }
        set {
            frame.asOf = newValue.first
            for (place, text) in newValue.dropFirst().enumerated() where sources.indices.contains(place) {
                sources[place].age = text
            }
        }
    }
}

extension Overview {
    /// The same texts of the page that this makes.
    package var instantTexts: [String] {
        [facts.asOf.tableText] + sources.all.map { ageText(of: $0, at: facts.asOf) }
    }
}

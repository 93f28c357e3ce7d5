package import AppHealth

extension Evidence {
    /// Whether the stability of a day is settled; nil when there is no figure of it.
    package func settlement(of day: CivilDate) -> Settlement? {
        stability?.healthSettlement[day]
    }
}

package import AppHealth

extension HistoryIndex {
    /// Whether the stability of a day is settled; nil when there is no figure of it.
    package func settlement(of day: CivilDate) -> DayFinality? {
        stability?.healthSettlement[day]
    }
}

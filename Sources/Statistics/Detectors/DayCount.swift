/// Sessions (or users) of a day and those of them that crashed.
package struct DayCount: Hashable, Sendable {
    /// All of them; zero when nobody used the app.
    package let total: Int
    /// Those that crashed; 0…`total`.
    package let crashed: Int

    /// The counts; nil when they are impossible.
    package init?(total: Int, crashed: Int) {
        guard crashed >= 0, crashed <= total else { return nil }
        self.total = total
        self.crashed = crashed
    }
}

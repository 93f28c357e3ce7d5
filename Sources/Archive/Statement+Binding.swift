import GRDB

extension Statement {
    /// Binds the values to the parameters in their order, without the copies that `StatementArguments` makes of
    /// each row; there must be one for each parameter.
    func bind(_ values: [RevisionWriter.Field]) throws {
        // Resets the statement, makes every parameter NULL, and has it run without a look at its arguments.
        setUncheckedArguments(StatementArguments())
        try bind(values, after: 0)
    }

    /// Binds a key, an instant and values in this order.
    func bind(_ key: [RevisionWriter.Field], _ instant: Int, _ values: [RevisionWriter.Field]) throws {
        setUncheckedArguments(StatementArguments())
        try bind(key, after: 0)
        try check(instant.bind(to: sqliteStatement, at: CInt(key.count + 1)))
        try bind(values, after: key.count + 1)
    }

    private func bind(_ values: [RevisionWriter.Field], after count: Int) throws {
        for (index, value) in values.enumerated() {
            guard let value else { continue }
            try check(value.bind(to: sqliteStatement, at: CInt(count + index + 1)))
        }
    }

    private func check(_ code: CInt) throws {
        guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }
}

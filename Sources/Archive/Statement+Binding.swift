import GRDB

extension Statement {
    /// Binds the values to the parameters in their order, without the copies that `StatementArguments` makes of
    /// each row; there must be one for each parameter.
    func bind(_ values: [RevisionWriter.Field]) throws {
        // Resets the statement, makes every parameter NULL, and has it run without a look at its arguments.
        setUncheckedArguments(StatementArguments())
        for (index, value) in values.enumerated() {
            let code = value?.bind(to: sqliteStatement, at: CInt(index + 1)) ?? 0
            guard code == 0 else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        }
    }
}

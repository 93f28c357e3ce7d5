import Markup

/// One instruction; small and without references, so that running through them costs no counting.
struct Instruction {
    enum Code: UInt8 {
        /// Writes `length` bytes of the literals from `index`.
        case literal
        /// Writes the indentation that the callers requested.
        case indentation
        /// Writes the field `index` of the frame in `slot`.
        case write
        /// Goes on when the test `index` of the frame in `slot` holds; skips `length` instructions otherwise.
        case test
        /// The other way round.
        case unless
        /// Runs the next `length` instructions for each value of the field, with the value in `target`.
        case visit
        /// Runs the routine of call `index`.
        case call
        /// Runs the routine that fits the model in the field of show `index`.
        case show
    }

    let code: Code
    var slot: Int32 = 0
    var target: Int32 = 0
    var index: Int32 = 0
    var length: Int32 = 0
}

/// The call of a routine.
struct Call {
    let routine: Int
    /// For each frame of the routine the slot of the caller, or -1 for the model that is shown.
    let frames: [Int32]
    /// Whether the caller's indentation goes on inside.
    let keepsIndentation: Bool
    /// What is added to the indentation.
    let indentation: [UInt8]
}

/// A field that holds one of several models.
@safe struct Show {
    let shower: FieldShower
    /// The call for each declared type.
    let calls: [Call]
}

/// The part of a program that one template became, for one context.
struct Routine {
    var range: Range<Int>
    /// How many slots its frames take.
    var slots: Int
}

/// What a template became: instructions over frames, with everything resolved.
@safe final class Program: Sendable {
    let language: OutputLanguage
    let instructions: [Instruction]
    let routines: [Routine]
    let literals: [UInt8]
    let writers: [FieldWriter]
    let tests: [FieldTest]
    let visitors: [FieldVisitor]
    let spots: [Spot]
    let calls: [Call]
    let shows: [Show]

    init(_ code: Assembler, language: OutputLanguage) {
        self.language = language
        instructions = code.instructions
        routines = code.routines
        literals = code.literals
        unsafe writers = unsafe code.writers
        unsafe tests = unsafe code.tests
        unsafe visitors = unsafe code.visitors
        spots = code.spots
        calls = code.calls
        shows = code.shows
    }
}

/// Direct pointers to the tables that every instruction needs, good while the program is running.
@safe struct ProgramTables {
    let instructions: UnsafeBufferPointer<Instruction>
    let literals: UnsafeBufferPointer<UInt8>
    let writers: UnsafeBufferPointer<FieldWriter>
    let tests: UnsafeBufferPointer<FieldTest>
}

extension Program {
    /// Calls the closure with the tables.
    func withTables<Result>(_ body: (ProgramTables) -> Result) -> Result {
        unsafe instructions.withUnsafeBufferPointer { instructions in
            unsafe literals.withUnsafeBufferPointer { literals in
                unsafe writers.withUnsafeBufferPointer { writers in
                    unsafe tests.withUnsafeBufferPointer { tests in
                        unsafe body(
                            ProgramTables(
                                instructions: instructions, literals: literals, writers: writers, tests: tests
                            ))
                    }
                }
            }
        }
    }
}

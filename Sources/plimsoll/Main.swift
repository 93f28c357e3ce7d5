import Platform
import PlimsollCommand

@main
enum Main {
    static func main() async {
        openStandardDescriptors()
        endProgram(await runPlimsoll(Array(CommandLine.arguments.dropFirst())))
    }
}

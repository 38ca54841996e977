import type { Argv, CommandModule } from 'yargs'

/** Options that don't go together, or a value that an option doesn't take: the help is printed with it. */
export class UsageFault extends Error {
  override name = 'UsageFault'
}

/** The commands about one thing; `describe` is shown in the help. */
export type Noun = { describe: string; verbs: CommandModule[] }

/**
 * Declares a command with the options that `builder` declares; `handler` gets them typed. What needs the platform's code
 * is imported in the handler, so that the help needs neither a database nor an environment.
 */
export const verb = <Args>(
  command: string,
  describe: string,
  builder: (parser: Argv) => Argv<Args>,
  handler: (args: Args) => Promise<void>,
): CommandModule => ({ command, describe, builder, handler: (args) => handler(args as Args) }) as CommandModule

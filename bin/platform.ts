import yargs, { type Argv } from 'yargs'
import { access } from './platform/access'
import { account } from './platform/account'
import { admin } from './platform/admin'
import { application } from './platform/application'
import { client } from './platform/client'
import { config } from './platform/config'
import { database } from './platform/database'
import { history } from './platform/history'
import { license } from './platform/license'
import { UsageFault } from './platform/noun'
import { role } from './platform/role'
import { secrets } from './platform/secrets'

/** The commands before they were one, by their old names; they work until the release after 1.0. */
const oldNames: Record<string, string[]> = {
  'access:open': ['access', 'open'],
  'admin:create': ['admin', 'create'],
  'application:create': ['application', 'create'],
  'client:create': ['client', 'create'],
  'client:secret': ['client', 'secret'],
  'config:export': ['config', 'export'],
  'config:import': ['config', 'import'],
  'history:verify': ['history', 'verify'],
  'license:issue': ['license', 'issue'],
  'role:grant': ['role', 'grant'],
  'secrets:reseal': ['secrets', 'reencrypt'],
  'user:create': ['account', 'create'],
}

function currentName([first = '', ...rest]: string[]): string[] {
  const name = oldNames[first]
  if (!name) return [first, ...rest]
  console.error(`${first} is called \`platform ${name.join(' ')}\` now; the old name ends with the next release.`)
  return [...name, ...rest]
}

const nouns = { access, account, admin, application, client, config, database, history, license, role, secrets }

/**
 * Runs one command of an operator: `platform <noun> <verb>`. Ends with 0, with 1 if the command was refused or failed,
 * and with 2 if it wasn't understood.
 */
async function main() {
  const parser = yargs(currentName(process.argv.slice(2)))
    .scriptName('platform')
    .locale('en')
    .usage('$0 <noun> <verb>\n\nCommands for operators of the platform.')
    .epilogue('Exit codes: 0 done, 1 refused or failed, 2 not understood.')
    .parserConfiguration({ 'camel-case-expansion': true, 'boolean-negation': false })
  for (const [noun, { describe, verbs }] of Object.entries(nouns))
    parser.command(noun, describe, (own: Argv) => {
      for (const verb of verbs) own.command(verb)
      return own.demandCommand(1, 1, `which one? See platform ${noun} --help`).strict()
    })
  await parser
    .command('$0', false, {}, () => {
      parser.showHelp()
      process.exitCode = 2
    })
    .completion('completion', 'Prints a script for bash or zsh that completes these commands')
    .strict()
    .version(false)
    .wrap(100)
    .fail((message, error, own) => {
      // the completion asks about commands that aren't complete yet
      if (process.argv.includes('--get-yargs-completions')) return
      if (error && !(error instanceof UsageFault)) throw error
      process.stderr.write(`${message ?? error?.message}\n\n`)
      own.showHelp()
      process.exit(2)
    })
    .parseAsync()
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
})

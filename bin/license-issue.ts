import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { issueLicense, newKeys } from '@/lib/operations/license/format'

const usage = `npm run license:issue -- --new-key
npm run license:issue -- --key <file> --owner <name> --domain <host> [--expires <day>] [--sessions <number>]

  --new-key             prints a new pair of keys: keep the private one, and set LICENSE_PUBLIC_KEY to the public one
  --key <file>          the private key, as --new-key printed it
  --owner <name>        whose license it is
  --domain <host>       the host of the platform, such as id.example.com
  --expires <day>       the first day on which it is no longer valid, such as 2027-12-31; by default it never expires
  --sessions <number>   how many sessions at once; by default any number

It needs no database and no environment: whoever issues licenses runs it elsewhere.`

/** Returns what is wanted; undefined if it can't be understood. */
function wanted() {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({
      options: {
        'new-key': { type: 'boolean' },
        ...{ key: text, owner: text, domain: text, expires: text, sessions: text },
      },
    })
    return values
  } catch {
    return undefined
  }
}

function main(): number {
  const given = wanted()
  if (given?.['new-key']) {
    const { privateKey, publicKey } = newKeys()
    console.log(`${privateKey}\nLICENSE_PUBLIC_KEY=${publicKey}`)
    return 0
  }
  if (!given?.key || !given.owner || !given.domain) {
    console.error(usage)
    return 1
  }
  const { expires, sessions } = given
  if (expires && (!/^\d{4}-\d\d-\d\d$/.test(expires) || Number.isNaN(Date.parse(expires)))) {
    console.error(`--expires must be a day such as 2027-12-31, not ${expires}`)
    return 1
  }
  if (sessions && !/^[1-9]\d{0,8}$/.test(sessions)) {
    console.error(`--sessions must be a number, not ${sessions}`)
    return 1
  }
  try {
    console.log(
      issueLicense(readFileSync(given.key, 'utf8'), {
        owner: given.owner,
        domain: given.domain.toLowerCase(),
        expiresAt: expires ? new Date(expires).toISOString() : null,
        sessions: sessions ? Number(sessions) : null,
      }),
    )
    return 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'the license was not issued')
    return 1
  }
}

process.exitCode = main()

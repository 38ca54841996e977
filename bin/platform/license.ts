import { readFileSync } from 'node:fs'
import { issueLicense, newKeys } from '@/lib/operations/license/format'
import { type Noun, UsageFault, verb } from './noun'

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

// it needs no database and no environment: licenses are issued elsewhere
const issue = verb(
  'issue',
  'Issues a license, or makes a new pair of keys',
  (own) =>
    own
      .option('new-key', {
        type: 'boolean',
        describe: 'prints a pair of keys: keep the private one, and set LICENSE_PUBLIC_KEY to the public one',
      })
      .option('key', { type: 'string', describe: 'the file with the private key, as --new-key printed it' })
      .option('owner', { type: 'string', describe: 'whose license it is' })
      .option('domain', { type: 'string', describe: 'the host of the platform, such as id.example.com' })
      .option('expires', {
        type: 'string',
        describe: 'the first day on which it is no longer valid, such as 2027-12-31; by default it never expires',
      })
      .option('sessions', { type: 'number', describe: 'how many sessions at once; by default any number' })
      .check(({ 'new-key': newKey, key, owner, domain, expires, sessions }) => {
        if (!newKey && !(key && owner && domain)) throw new UsageFault('Name --key, --owner and --domain, or --new-key')
        if (expires !== undefined && !isDay(expires)) throw new UsageFault(`--expires must be a day, not ${expires}`)
        if (sessions !== undefined && !(Number.isInteger(sessions) && sessions > 0))
          throw new UsageFault(`--sessions must be a number, not ${sessions}`)
        return true
      }),
  async ({ 'new-key': newKey, key = '', owner = '', domain = '', expires, sessions }) => {
    if (newKey) {
      const { privateKey, publicKey } = newKeys()
      console.log(`${privateKey}\nLICENSE_PUBLIC_KEY=${publicKey}`)
      return
    }
    console.log(
      issueLicense(readFileSync(key, 'utf8'), {
        owner,
        domain: domain.toLowerCase(),
        expiresAt: expires ? new Date(expires).toISOString() : null,
        sessions: sessions ?? null,
      }),
    )
  },
)

export const license: Noun = { describe: 'Licenses', verbs: [issue] }

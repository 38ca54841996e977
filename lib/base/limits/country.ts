import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { env } from '../runtime/env'
import { log } from '../runtime/log'

/** A record of a country database: MaxMind's and DB-IP's have an object, IPinfo's a bare code. */
type Record = Partial<Pick<CountryResponse, 'registered_country'>> & { country?: CountryResponse['country'] | string }
type Countries = Reader<CountryResponse>

/** Opens a database in MaxMind's format. Throws an Error that says what is wrong with the file. */
export async function openCountries(path: string): Promise<Countries> {
  let reader: Countries
  const bytes = await readFile(path).catch(({ code }: NodeJS.ErrnoException) => {
    throw new Error(`can't be read (${code})`)
  })
  try {
    reader = new Reader<CountryResponse>(bytes)
  } catch {
    throw new Error('is not a database in the MMDB format')
  }
  const { databaseType } = reader.metadata
  if (!/country|city/i.test(databaseType))
    throw new Error(`is a database of ${databaseType || 'nothing'}, not of countries`)
  return reader
}

/** Returns what is wrong with COUNTRY_DATABASE, or undefined if it is empty or right. */
export async function countryFault(path: string | undefined): Promise<string | undefined> {
  try {
    if (path) await openCountries(path)
  } catch (error) {
    return `COUNTRY_DATABASE: ${path} ${(error as Error).message}`
  }
}

let readerPromise: Promise<Countries | null> | undefined

/** Returns the database, which each process reads once; null, so that no countries are shown, if it can't be read. */
function countries(): Promise<Countries | null> {
  const { COUNTRY_DATABASE: path } = env()
  readerPromise ??= path
    ? openCountries(path).catch((error: Error) => {
        log.warn({ reason: error.message }, 'COUNTRY_DATABASE is not used')
        return null
      })
    : Promise.resolve(null)
  return readerPromise
}

/** Returns the record of an address; null also where the file is damaged, which opening it doesn't detect. */
function recordIn(reader: Countries, ip: string): Record | null {
  try {
    return reader.get(ip) as Record | null
  } catch {
    return null
  }
}

/** Returns the country of an address in a database: its ISO 3166 code, or null if it is not known. */
export function countryIn(reader: Countries, ip: string): string | null {
  if (isIP(ip) === 0) return null
  const record = recordIn(reader, ip)
  const code: unknown =
    typeof record?.country === 'string' ? record.country : (record?.country ?? record?.registered_country)?.iso_code
  return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null
}

/** Returns the country of an address by the local database: an ISO 3166 code, or null without a database. */
export async function countryOf(ip: string): Promise<string | null> {
  const reader = await countries()
  return reader ? countryIn(reader, ip) : null
}

import type { Transaction } from '@/db/client'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { type Entry, type EntryLists, entryDigest, initialDigest } from './digests'
import { insertEntry, selectNewest } from './queries'

type Lists = EntryLists & { salts: string[]; oldest: number | null }

/**
 * Adds an entry to the end of the chain and returns its place and digest. The transaction must hold the lock of the
 * chain.
 */
export async function addEntry(
  tx: Transaction,
  { lists, ...fields }: Omit<Entry, 'seq'> & { lists?: Lists },
): Promise<{ seq: number; digest: string }> {
  const newest = await selectNewest(tx)
  const entry = { ...fields, seq: (newest?.seq ?? 0) + 1 }
  const digest = entryDigest(newest?.digest ?? initialDigest, entry)
  await insertEntry(tx, { ...entry, ...lists, digest, mac: keyedHash('seals', digest) })
  return { seq: entry.seq, digest }
}

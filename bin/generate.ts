import { readFileSync, writeFileSync } from 'node:fs'
import { contractIndex } from './generate/contracts'
import { entityIndexes } from './generate/entities'
import { messageIndexes } from './generate/messages'
import { schemaIndex } from './generate/schema'
import { screenIndexes } from './generate/screens'

/**
 * Generates the indexes of what the slices state: contracts, entities, screens, texts, tables. With `--check` it writes
 * nothing and fails if an index is stale.
 */
const checking = process.argv.includes('--check')
const before = (file: string) => {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

const made = [contractIndex(), ...entityIndexes(), ...messageIndexes(), ...(await screenIndexes()), schemaIndex()]
const stale = made.filter(({ file, text }) => before(file) !== text)
for (const { file, text } of stale) {
  if (!checking) writeFileSync(file, text)
  console.log(checking ? `${file} is stale: run npm run generate` : `${file} was written`)
}
process.exit(checking && stale.length > 0 ? 1 : 0)

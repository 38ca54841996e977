import type { FaultKind } from '@/lib/operations/history-chain/verify'
import { type Noun, UsageFault, verb } from './noun'

const words: Record<FaultKind, string> = {
  entryMissing: 'an entry of the chain is missing',
  entryChanged: 'an entry of the chain was changed',
  entryForged: 'an entry of the chain was not made by the platform',
  entryEmptied: 'an entry of the chain was emptied too early',
  anchorMissing: 'the chain has no such entry',
  rowChanged: 'a row was changed',
  rowMissing: 'a row was deleted',
  rowLost: 'a row was deleted before it was sealed',
  rowForeign: 'a row was inserted by another role of the database',
  rowUnsealed: 'a row was inserted behind the platform’s back',
  rowSealedTwice: 'a row is sealed by two entries',
}

const verify = verb(
  'verify',
  'Compares the history with its chain, and names each row and each entry that differs; ends with 1 if one does',
  (own) =>
    own
      .option('anchor', {
        type: 'string',
        describe:
          'the newest entry, as <place>:<digest>, that was kept elsewhere: a chain whose end was cut off is found too',
      })
      .option('json', { type: 'boolean' })
      .check(({ anchor }) => {
        if (anchor !== undefined && !/^\d+:[\w-]+$/.test(anchor)) throw new UsageFault('--anchor is <place>:<digest>')
        return true
      }),
  async ({ anchor, json }) => {
    const { runCommand } = await import('../operator')
    const { verifyHistory } = await import('@/lib/operations/history-chain/verify')
    await runCommand(async () => {
      const verdict = await verifyHistory({ anchor })
      const { faults, entries, rows, removed } = verdict
      if (json) console.log(JSON.stringify(verdict))
      else {
        for (const { kind, entry, row } of faults) {
          const places = [entry === undefined ? [] : [`entry ${entry}`], row === undefined ? [] : [`row ${row}`]].flat()
          console.log(`${words[kind]}: ${places.join(', ')}`)
        }
        console.log(
          `${entries} entries seal ${rows} rows; ${removed} more were removed by the retention or are named above.`,
        )
        if (verdict.anchor) console.log(`Newest entry: ${verdict.anchor}`)
        console.log(faults.length === 0 ? 'The history is whole.' : `Faults: ${faults.length}`)
      }
      process.exitCode = faults.length === 0 ? 0 : 1
    })
  },
)

export const history: Noun = { describe: 'The history', verbs: [verify] }

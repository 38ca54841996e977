import { parseArgs } from 'node:util'
import { type FaultKind, verifyHistory } from '@/lib/operations/history-chain/verify'
import { runCommand } from './operator'
import { StartFault } from './server/start-checks'

const usage = `npm run history:verify [-- --anchor <place:digest>] [--json]

Compares the history with the chain that seals it, and names each row and each entry that differs. Ends with 1 if one
does. The worker logs the newest entry; one that was kept elsewhere can be given as the anchor: then a chain whose end
was cut off is found too.`

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

function wanted() {
  try {
    const { values } = parseArgs({ options: { anchor: { type: 'string' }, json: { type: 'boolean' } } })
    if (values.anchor === undefined || /^\d+:[\w-]+$/.test(values.anchor)) return values
  } catch {
    // an unknown option: the usage lists the valid ones
  }
  throw new StartFault(usage)
}

runCommand(wanted, async ({ anchor, json }) => {
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

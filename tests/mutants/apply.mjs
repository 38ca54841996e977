/**
 * `node tests/mutants/apply.mjs 7` puts a mistake of mutants.json into the code, `--undo 7` takes it out. The mistakes are
 * of twelve kinds: 1 an edge, 2 a condition, 3 a guard, 4 a filter of a query, 5 order and paging, 6 locks and races, 7 what
 * is recorded and sent, 8 caches and counters, 9 answers, 10 what a control does, 11 how it looks, 12 texts.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const args = process.argv.slice(2)
const undo = args[0] === '--undo'
const id = Number(args.at(-1))
const mutant = JSON.parse(readFileSync('tests/mutants/mutants.json', 'utf8')).find((each) => each.id === id)
if (!mutant) throw new Error(`there is no mutant ${args.at(-1)}`)

const text = readFileSync(mutant.file, 'utf8')
const [old, fresh] = undo ? [mutant.to, mutant.from] : [mutant.from, mutant.to]
const found = text.split(old).length - 1
// `to` may contain `from`
if (found !== 1 || (undo && text.includes(mutant.from) && !mutant.to.includes(mutant.from)))
  throw new Error(`what is to be replaced stands ${found} times in ${mutant.file}`)
writeFileSync(
  mutant.file,
  text.replace(old, () => fresh),
)

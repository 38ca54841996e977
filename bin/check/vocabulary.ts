import { readFileSync } from 'node:fs'
import { filesIn } from './sources'

const folders = ['app', 'bin', 'components', 'db', 'lib', 'tests']

/** Words that readers took for something else, with what is said in their place (docs/glossary.md). */
const replaced: [pattern: RegExp, better: string][] = [
  [/\bwings?\b/i, 'subject'],
  [/\bpatien(?:t|ce)\b/i, 'timeout'],
  [/\b(?:un)?seal\(/, 'encrypt(, decrypt('],
  [/\bcreateGate\b/, 'createConcurrencyLimit'],
  [/\brecordAct\w*\(/, 'auditEvent('],
  [/\bmethodsBeyond\b|\bpeopleBeyond\b/, 'methodsNotHeld, peopleWithMore'],
  [/\b(?:const|let) (?:known|found|own|shown|kept|wanted|held|told|gone|was)\b/, 'a noun that says what it holds'],
]

/** Returns where the sources use a word that docs/glossary.md replaces. */
export function vocabularyFaults(): string[] {
  return filesIn(folders, /\.tsx?$/)
    .filter((file) => !file.endsWith('.generated.ts') && file !== 'bin/check/vocabulary.ts')
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          replaced
            .filter(([pattern]) => pattern.test(line))
            .map(([, better]) => `${file}:${index + 1}: ${better} (docs/glossary.md): ${line.trim()}`),
        ),
    )
}

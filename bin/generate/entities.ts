import { readFileSync } from 'node:fs'
import { filesBelow, generated, type Made } from './source'

const declaration = /^export const (\w+) = defineEntity\(\s*'([\w-]+)'/gm

/**
 * Returns the entities that an `entity.ts` declares. Throws if one is declared in a way that `declaration` can't read.
 */
export function entitiesIn(file: string, text: string) {
  const entities = [...text.matchAll(declaration)].map(([, constant = '', name = '']) => ({ constant, name }))
  if (entities.length === 0 || entities.length !== [...text.matchAll(/\bdefineEntity\s*[(<]/g)].length)
    throw new Error(`${file}: declare each entity by export const, defineEntity and its name in quotes`)
  return entities
}

/** Reads every `entity.ts` of the subjects. Returns the names of entities and the list of declarations. */
export function entityIndexes(): Made[] {
  const modules = filesBelow('lib', /^lib\/[^/]+\/[^/]+\/entity\.ts$/)
    .filter((file) => !file.startsWith('lib/base/'))
    .map((file) => ({ module: file.replace(/\.ts$/, ''), entities: entitiesIn(file, readFileSync(file, 'utf8')) }))
  const all = modules.flatMap(({ entities }) => entities)
  const twice = all.filter(({ name }, at) => all.findIndex((other) => other.name === name) !== at)
  if (twice.length > 0) throw new Error(`declared twice: ${twice.map(({ name }) => name).join(', ')}`)
  return [
    {
      file: 'lib/base/contracts/entity-names.generated.ts',
      text: generated([
        '/** The entity names in the history and the outbox. They are stored, so never change one or use it for another entity. */',
        'export const entityNames = [',
        ...all
          .map(({ name }) => name)
          .sort()
          .map((name) => `  '${name}',`),
        '] as const',
        '',
        'export type EntityName = (typeof entityNames)[number]',
      ]),
    },
    {
      file: 'lib/operations/history/entities.generated.ts',
      text: generated([
        "import type { Entity } from '@/lib/base/audit/entity'",
        ...modules.map(
          ({ module, entities }) =>
            `import { ${entities.map(({ constant }) => constant).join(', ')} } from '@/${module}'`,
        ),
        '',
        '/** Everything whose changes are recorded. */',
        'export const entities: readonly Entity[] = [',
        ...all.map(({ constant }) => `  ${constant},`),
        ']',
      ]),
    },
  ]
}

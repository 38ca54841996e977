import { defineEntity, json, number, text, yesNo } from '@/lib/base/audit/entity'

type Imported = { digest: string; prune: boolean; created: number; changed: number; deleted: number }

/** Exports with secrets, and imports; the changes of an import are in the history of each object. */
export const configurationEntity = defineEntity(
  'configuration',
  {
    secretsExported: yesNo('configuration.history.secretsExported'),
    /** The digest of the file, and how many objects it changed. */
    imported: json<Imported>('configuration.history.imported', undefined, {
      digest: text('configuration.history.digest'),
      prune: yesNo('configuration.history.prune'),
      created: number('configuration.history.created'),
      changed: number('configuration.history.changed'),
      deleted: number('configuration.history.deleted'),
    }),
  },
  { area: 'settings' },
)

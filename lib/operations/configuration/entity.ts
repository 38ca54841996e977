import { defineEntity, number, text, yesNo } from '@/lib/kernel/record/entity'

/** Exports with secrets and imports; what an import changed stands in the history of each object. */
export const configurationEntity = defineEntity(
  'configuration',
  {
    sealed: yesNo('configuration.history.sealed'),
    /** The digest of an imported file. */
    digest: text('configuration.history.digest'),
    prune: yesNo('configuration.history.prune'),
    created: number('configuration.history.created'),
    changed: number('configuration.history.changed'),
    deleted: number('configuration.history.deleted'),
  },
  { area: 'settings' },
)

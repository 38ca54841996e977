'use client'

import { useTranslations } from 'next-intl'
import { CheckboxBox } from '../form/checkbox-box'
import { type Chosen, useSelection } from './selection'

/** The checkbox that chooses a row for an action on several rows. */
export function BulkBox({ list, row }: { list: string; row: Chosen }) {
  const t = useTranslations('ui.bulk')
  const { chosen, choose } = useSelection(list)
  return (
    <CheckboxBox
      checked={chosen.has(row.id)}
      onCheckedChange={(checked) => choose([row], checked === true)}
      aria-label={t('choose', { row: row.label })}
    />
  )
}

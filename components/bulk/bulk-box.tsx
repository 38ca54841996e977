'use client'

import { useTranslations } from 'next-intl'
import { CheckboxBox } from '../form/checkbox-box'
import { type Chosen, useSelection } from './selection'

/** The box that chooses a row of a list for an action on several. */
export function BulkBox({ list, row }: { list: string; row: Chosen }) {
  const t = useTranslations('ui.bulk')
  const { chosen, choose } = useSelection(list)
  return (
    <CheckboxBox
      checked={chosen.has(row.id)}
      onCheckedChange={(on) => choose([row], on === true)}
      aria-label={t('choose', { row: row.label })}
    />
  )
}

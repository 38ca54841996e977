import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import { Pill } from '@/components/ui/pill'
import { type Requisites, requisiteNames, requisiteWarnings } from '@/lib/companies/requisites'

type Props = {
  requisites: Requisites
  /** The title above them. */
  children?: ReactNode
}

/** The requisites of an organization or a contractor as text; wrong check digits are marked. */
export async function RequisiteFacts({ requisites, children }: Props) {
  const t = await getTranslations('requisites')
  const warnings = requisiteWarnings(requisites)
  return (
    <KeyValues>
      {children}
      {requisiteNames.map((name) => (
        <KeyValue key={name} label={t(name)}>
          {requisites[name] ? <span className="tabular-nums">{requisites[name]}</span> : null}
          {warnings[name] ? <Pill tone="warning">{t('suspicious')}</Pill> : null}
        </KeyValue>
      ))}
    </KeyValues>
  )
}

'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import type { OrganizationCard } from '@/lib/companies/organizations/contract'
import { useOrganizationActions } from '../../_ui/use-organization-actions'

/** The actions on the organization of a card; `name` is its name in the reader's language. */
export function OrganizationActions({ organization, name }: { organization: OrganizationCard; name: string }) {
  const { toggle, remove } = useOrganizationActions(organization, name)
  return <CardActions name={name} actions={[toggle, remove]} />
}

type GroupProps = { organization: OrganizationCard; mayEdit: boolean; children: ReactNode }

/** Its names and code, edited in place. */
export function NamesGroup({ organization, mayEdit, children }: GroupProps) {
  const t = useTranslations('organizations')
  const form = () => import('./group-forms').then((part) => part.NamesForm)
  return (
    <EditableGroup title={t('names')} form={form} of={{ organization }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** Its requisites, edited in place. */
export function RequisitesGroup({ organization, mayEdit, children }: GroupProps) {
  const t = useTranslations('requisites')
  const form = () => import('./group-forms').then((part) => part.RequisitesForm)
  return (
    <EditableGroup title={t('title')} form={form} of={{ organization }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

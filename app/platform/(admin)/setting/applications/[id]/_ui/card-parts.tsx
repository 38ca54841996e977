'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { PictureField } from '@/components/form/picture-field'
import { ServiceMark } from '@/components/shell/service-mark'
import type { ApplicationCard } from '@/lib/openid/applications/contract'
import { logoRule } from '@/lib/site/pictures/rule'
import { useApplicationActions } from '../../_ui/use-application-actions'

/** The actions on the application of a card; `name` is its name in the reader's language. */
export function ApplicationActions({ application, name }: { application: ApplicationCard; name: string }) {
  const t = useTranslations('applications')
  const barred = application.beyond ? t('beyondShort') : undefined
  const { toggle, menu, remove } = useApplicationActions(application, name, {
    barred,
    sessions: application.sessionCount,
  })
  // the group of the address says why menus can't show it
  return <CardActions name={name} actions={[toggle, menu.unavailable ? null : menu, remove]} />
}

type Groups = 'NamesForm' | 'PlaceForm' | 'TechnicalForm' | 'MethodsForm' | 'AddressesForm'
type GroupProps = {
  application: ApplicationCard
  title: string
  note?: ReactNode
  mayEdit: boolean
  form: Groups
  children: ReactNode
}

/** A group of the application that is edited in place by one of the forms. */
export function ApplicationGroup({ application, title, note, mayEdit, form, children }: GroupProps) {
  const load = () => import('./group-forms').then((part) => part[form])
  return (
    <EditableGroup title={title} note={note} form={load} of={{ application }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** The icon of an application, which is replaced and removed at once. */
export function IconField({ application, name }: { application: ApplicationCard; name: string }) {
  const t = useTranslations('applications')
  const load = async () => {
    const calls = await import('@/lib/applications/applications/contract')
    return { replace: calls.patchApplicationIcon, remove: calls.deleteApplicationIcon }
  }
  return (
    <PictureField
      title={t('icon')}
      picture={application.iconId}
      missing={null}
      load={load}
      params={{ id: application.id }}
      logo={{ rule: logoRule, preview: <ServiceMark title={name} icon={application.iconId} /> }}
    />
  )
}

'use client'

import { CirclePlay } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { EditableGroup } from '@/components/card/editable-group'
import { ActionButton } from '@/components/form/action-button'
import { sends } from '@/components/form/actions'
import { SecretField } from '@/components/form/secret-field'
import { useErrorText } from '@/components/form/use-error-text'
import { call } from '@/lib/base/http/client'
import type { Provider } from '@/lib/directory-sync/providers/contract'
import { CheckConnection } from '../../_ui/check-connection'
import { useProviderActions } from '../../_ui/use-provider-actions'

/** The actions on a directory. */
export function ProviderActions({ provider }: { provider: Provider }) {
  const { toggle, remove } = useProviderActions(provider)
  return <CardActions name={provider.name} actions={[toggle, remove]} />
}

/**
 * The button that starts a synchronization, on the tabs that show it; the reason why it can't be started is beside it.
 */
export function StartSync({ provider: { id, sync } }: { provider: Provider }) {
  const t = useTranslations('provider-sync')
  const errorText = useErrorText()
  const unavailableReason = sync[0]?.details.startBarred
  return (
    <div className="grid @min-[40rem]:w-fit">
      <ActionButton
        action={{
          kind: 'call',
          label: t('start'),
          icon: CirclePlay,
          ...(unavailableReason ? { unavailable: errorText(unavailableReason) } : {}),
          sends: sends(
            () =>
              import('@/lib/directory-sync/provider-sync/contract').then((contracts) => contracts.startProviderSync),
            {
              params: { id },
              body: { dry: false },
            },
          ),
        }}
      />
    </div>
  )
}

type Groups = 'SignInForm' | 'ConnectionForm' | 'NameForm' | 'ClaimsForm'
type GroupProps = {
  provider: Provider
  title: string
  note?: ReactNode
  mayEdit: boolean
  form: Groups
  children: ReactNode
}

/** A group of the directory that is edited in place by one of the forms. */
export function ProviderGroup({ provider, title, note, mayEdit, form, children }: GroupProps) {
  const load = () => import('./group-forms').then((part) => part[form])
  return (
    <EditableGroup title={title} note={note} form={load} of={{ provider }} mayEdit={mayEdit}>
      {children}
    </EditableGroup>
  )
}

/** Its secret; people who may change it may read it, and the history records each reading. */
export function ProviderSecret({ id, tail, mayRead }: { id: string; tail: string; mayRead: boolean }) {
  const t = useTranslations('providers')
  const read = async () => {
    const { readProviderSecret } = await import('@/lib/directory-sync/providers/contract')
    return (await call(readProviderSecret, { params: { id } })).secret
  }
  return <SecretField key={tail} what={t('clientSecret')} tail={tail} read={mayRead ? read : undefined} />
}

/** Tries the stored connection. */
export function CheckStored({ provider: { id, type, url, realm, clientId } }: { provider: Provider }) {
  return <CheckConnection body={() => ({ id, type, url, realm, clientId, clientSecret: '' })} />
}

'use client'

import { Power, PowerOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import {
  type AuthenticationSchema,
  activateAuthenticationSchema,
  deleteAuthenticationSchema,
} from '@/lib/sign-in/schema-administration/contract'
import { EditSchema } from './schema-form'

/** The actions for a schema; `name` is its name in the reader's language. */
export function SchemaMenu({ schema, name }: { schema: AuthenticationSchema; name: string }) {
  const t = useTranslations('authentication-schemas')
  const { id, base, active, code, usersCount, ownCount, updatedAt } = schema
  const count = Math.max(usersCount, ownCount)
  const input = { params: { id }, body: { active: !active, updatedAt } }
  const unavailableReason = base ? t('whyBase') : active && count > 0 ? t('whyUsed') : undefined
  const keepReason = base ? t('keepBase') : count > 0 ? t('keepUsed', { count }) : undefined
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditSchema record={schema} onDone={done} />,
        },
        {
          kind: 'confirm',
          label: t(active ? 'switchOff' : 'switchOn'),
          icon: active ? PowerOff : Power,
          ...(unavailableReason ? { unavailable: unavailableReason } : {}),
          ask: active
            ? { title: t('offTitle', { name }), text: t('offText'), tone: 'danger' }
            : { title: t('onTitle', { name }), text: t('onText'), tone: 'primary' },
          sends: sends(activateAuthenticationSchema, input, { params: { active: String(!active) } }),
        },
        {
          kind: 'remove',
          contract: deleteAuthenticationSchema,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText', { code }),
          blocked: keepReason ? { title: t('keepTitle', { name }), text: keepReason } : undefined,
        },
      ]}
    />
  )
}

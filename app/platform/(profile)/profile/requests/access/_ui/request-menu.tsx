'use client'

import { Undo2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { type AccessRequest, revokeAccessRequest } from '@/lib/companies/access-requests/contract'

/** What a person can do with a waiting request of their own. */
export function RequestMenu({ request, name }: { request: AccessRequest; name: string }) {
  const t = useTranslations('access-requests')
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'confirm',
          label: t('revoke'),
          icon: Undo2,
          tone: 'danger',
          ask: { title: t('revokeTitle', { name }), text: t('revokeText') },
          sends: sends(revokeAccessRequest, { params: { requestId: request.requestId } }),
        },
      ]}
    />
  )
}

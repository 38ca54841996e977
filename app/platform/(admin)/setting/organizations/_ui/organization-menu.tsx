'use client'

import { SquareArrowOutUpRight } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import type { Organization } from '@/lib/people/organizations/contract'
import { useOrganizationActions } from './organization-actions'
import { EditOrganization } from './organization-form'

type Props = { organization: Organization; name: string; href: string; mayWrite: boolean }

/** What can be done with an organization; `name` is its name in the reader's language, `href` leads to its card. */
export function OrganizationMenu({ organization, name, href, mayWrite }: Props) {
  const t = useTranslations('organizations')
  const actions = useOrganizationActions({ ...organization, name })
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'link', label: t('open'), icon: SquareArrowOutUpRight, href },
        mayWrite && {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditOrganization organization={organization} onDone={done} />,
        },
        ...(mayWrite ? actions : []),
      ]}
    />
  )
}

'use client'

import { useTranslations } from 'next-intl'
import { RowActions } from '@/components/form/row-actions'
import type { Organization } from '@/lib/companies/organizations/contract'
import { EditOrganization } from './organization-form'
import { useOrganizationActions } from './use-organization-actions'

type Props = { organization: Organization; name: string; href: string; mayWrite: boolean }

/** The actions on an organization; `name` is its name in the reader's language, `href` leads to its card. */
export function OrganizationMenu({ organization, name, href, mayWrite }: Props) {
  const t = useTranslations('organizations')
  const { toggle, remove } = useOrganizationActions(organization, name)
  return (
    <RowActions
      row={name}
      actions={[
        { kind: 'card', href },
        mayWrite && {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditOrganization organization={organization} onDone={done} />,
        },
        mayWrite && toggle,
        mayWrite && remove,
      ]}
    />
  )
}

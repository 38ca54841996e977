import { Eye } from 'lucide-react'
import { getTranslations } from 'next-intl/server'
import type { ReactNode } from 'react'
import { PageName } from '@/components/shell/page-name'
import { LinkTabs } from '@/components/ui/link-tabs'
import { PageHeader } from '@/components/ui/page-header'
import type { FieldOwner } from '@/lib/fields/dynamic-fields/contract'
import { typePath } from './paths'

type Props = {
  type: FieldOwner
  types: readonly { id: FieldOwner; fields: number }[]
  /** The name of the open tab. */
  tab?: string
  action?: ReactNode
  readOnly?: string | undefined
  children: ReactNode
}

/** The top of both pages: what fields are, and whose are shown. */
export async function FieldsFrame({ type, types, tab, action, readOnly, children }: Props) {
  const [t, tScreen] = await Promise.all([getTranslations('dynamic-fields'), getTranslations('shell.screens')])
  const owner = t(`types.${type}`)
  const tabs = types.map(({ id, fields }) => ({ href: typePath(id), label: t(`types.${id}`), count: fields }))
  const note = readOnly ? (
    <p className="flex items-center gap-2 text-ink-second text-table">
      <Eye aria-hidden="true" className="size-4 shrink-0" />
      {readOnly}
    </p>
  ) : null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      {tab === undefined ? <PageName name={owner} /> : <PageName name={tab} above={owner} />}
      <PageHeader title={tScreen('PlatformFields')} text={t('lead')} action={action ?? note} />
      <LinkTabs tabs={tabs} current={typePath(type)} label={t('owners')} />
      {children}
    </div>
  )
}

import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/kernel/ctx'
import { localName } from '@/lib/kernel/i18n/local-name'
import { isFilled, storedUnder } from '@/lib/people/fields/definition'
import type { ProfileBlock, ProfileDetails, ProfileFieldView } from '@/lib/profile/personal/contract'
import { EditableBlock } from '../editable-block'

type Props = { ctx: Ctx; blocks: readonly ProfileBlock[]; details: ProfileDetails }

/** Main e-mail and mobile stand among the contacts, where they change by a code. */
const isContact = ({ base, code }: ProfileFieldView) => base && (code === 'email' || code === 'mobile')

/** The blocks of a tab of fields, each edited in place. */
export function FieldBlocks({ ctx, blocks, details }: Props) {
  return blocks.map((block) => {
    const fields = block.fields.filter((field) => !isContact(field))
    return fields.length > 0 ? <Block key={block.id} ctx={ctx} block={{ ...block, fields }} details={details} /> : null
  })
}

async function Block({ ctx, block, details }: { ctx: Ctx; block: ProfileBlock; details: ProfileDetails }) {
  const t = await getTranslations('profile')
  const { mainInfo, additionalInfo, updatedInfo } = details
  const stored: Record<string, unknown> = { ...additionalInfo }
  for (const { base, code } of block.fields) if (base) stored[code] = mainInfo[code as 'fio']
  const title = localName({ title: block.title, titleEn: block.titleEn }, ctx.locale)
  const views = block.fields.map((field) => ({ ...field, title: localName(field, ctx.locale) }))
  const facts = (some: readonly ProfileFieldView[], className?: string) => (
    <KeyValues className={className}>
      {some.map((field) => (
        <KeyValue
          key={field.code}
          id={field.code}
          label={field.title}
          {...(field.required ? { missing: t('missing') } : {})}
        >
          {isFilled(storedUnder(stored, field.code)) ? (
            <FieldValue field={field} value={storedUnder(stored, field.code)} />
          ) : null}
        </KeyValue>
      ))}
    </KeyValues>
  )
  const [own, others] = [views.filter(({ edit }) => edit), views.filter(({ edit }) => !edit)]
  if (own.length === 0) return <CardGroup title={title}>{facts(views)}</CardGroup>
  const rest = others.length > 0 ? facts(others, 'bg-sunken/50') : null
  return (
    <EditableBlock title={title} fields={own} stored={stored} updatedAt={updatedInfo.updatedAt} rest={rest}>
      {facts(views)}
    </EditableBlock>
  )
}

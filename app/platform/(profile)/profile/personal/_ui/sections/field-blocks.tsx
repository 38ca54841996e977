import { getTranslations } from 'next-intl/server'
import { CardGroup } from '@/components/card/group'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import { localName } from '@/lib/base/i18n/local-name'
import { pictureIn } from '@/lib/fields/field-pictures/address'
import { isFilled, storedUnder } from '@/lib/fields/values/definition'
import type { ProfileBlock, ProfileDetails, ProfileFieldView } from '@/lib/my-account/personal/contract'
import { EditableBlock } from '../editable-block'
import { OwnPicture } from '../own-picture'

type Props = { ctx: Ctx; blocks: readonly ProfileBlock[]; details: ProfileDetails }

/** Main e-mail and mobile are among the contacts, where a code changes them. */
const isContact = ({ base, code }: ProfileFieldView) => base && (code === 'email' || code === 'mobile')

const isPicture = ({ fieldType }: ProfileFieldView) => fieldType === 'picture'
const isTyped = (field: ProfileFieldView) => field.edit && !isPicture(field)

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
  const storedOf = ({ code }: ProfileFieldView) => storedUnder(stored, code)
  const facts = (listed: readonly ProfileFieldView[], { editing = false } = {}) => (
    <KeyValues className={editing ? 'bg-sunken/50' : undefined}>
      {listed.map((field) => (
        <KeyValue
          key={field.code}
          id={field.code}
          label={field.title}
          tall={pictureIn(storedOf(field)) !== null && isPicture(field)}
          {...(field.required ? { missing: t('missing') } : {})}
        >
          {isPicture(field) && field.edit && !editing ? (
            <OwnPicture
              title={field.title}
              code={field.code}
              missing={field.required ? t('missing') : null}
              picture={pictureIn(storedOf(field))}
            />
          ) : isFilled(storedOf(field)) ? (
            <FieldValue field={field} value={storedOf(field)} />
          ) : null}
        </KeyValue>
      ))}
    </KeyValues>
  )
  // a picture is changed separately from the other fields
  const [editable, readOnly] = [views.filter(isTyped), views.filter((field) => !isTyped(field))]
  if (editable.length === 0) return <CardGroup title={title}>{facts(views)}</CardGroup>
  const readOnlyFacts = readOnly.length > 0 ? facts(readOnly, { editing: true }) : null
  return (
    <EditableBlock
      title={title}
      fields={editable}
      stored={stored}
      updatedAt={updatedInfo.updatedAt}
      rest={readOnlyFacts}
    >
      {facts(views)}
    </EditableBlock>
  )
}

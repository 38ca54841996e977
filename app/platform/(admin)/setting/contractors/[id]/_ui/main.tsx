import { getTranslations } from 'next-intl/server'
import { CardColumns } from '@/components/card/card'
import { CardGroup, CardList } from '@/components/card/group'
import { RequisiteFacts } from '@/components/card/requisite-facts'
import { DateTime } from '@/components/ui/date-time'
import { FieldValue } from '@/components/ui/field-value'
import { KeyValue, KeyValues } from '@/components/ui/key-values'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ContractorCard } from '@/lib/companies/contractors/contract'
import { contractorBlocks, type FieldBlock } from '@/lib/companies/contractors/fields'
import { pictureIn } from '@/lib/fields/field-pictures/address'
import { isFilled, storedUnder } from '@/lib/fields/values/definition'
import { BlockGroup, MainGroup } from './card-parts'
import { ContractorPicture } from './contractor-picture'

type Props = { ctx: Ctx; contractor: ContractorCard; mayWrite: boolean }

/** The requisites of a contractor, and beside them its organizations and dates. */
export async function ContractorMain({ ctx, contractor, mayWrite }: Props) {
  const [t, tr, blocks] = await Promise.all([
    getTranslations('contractors'),
    getTranslations('requisites'),
    contractorBlocks(ctx),
  ])
  return (
    <CardColumns
      side={
        <>
          <CardGroup title={t('organizations')}>
            <CardList items={contractor.availableOrganizations} none={t('noOrganizations')} />
          </CardGroup>
          <CardGroup title={t('record')}>
            <KeyValues>
              <KeyValue label={t('created')}>
                <DateTime value={contractor.createdAt} />
              </KeyValue>
              <KeyValue label={t('changed')}>
                <DateTime value={contractor.updatedAt} />
              </KeyValue>
            </KeyValues>
          </CardGroup>
        </>
      }
    >
      <MainGroup title={tr('title')} contractor={contractor} mayEdit={mayWrite}>
        <RequisiteFacts requisites={contractor}>
          <KeyValue label={t('name')}>{contractor.name}</KeyValue>
        </RequisiteFacts>
      </MainGroup>
      {blocks.map((block) => (
        <BlockGroup
          key={block.id}
          contractor={contractor}
          block={block}
          mayEdit={mayWrite && block.fields.some(({ edit, fieldType }) => edit && fieldType !== 'picture')}
        >
          <Values contractor={contractor} block={block} mayWrite={mayWrite} />
        </BlockGroup>
      ))}
    </CardColumns>
  )
}

type ValuesProps = { contractor: ContractorCard; block: FieldBlock; mayWrite: boolean }

/** A block of fields that administrators define. */
async function Values({ contractor: { id, values }, block, mayWrite }: ValuesProps) {
  const t = await getTranslations('contractors')
  return (
    <KeyValues>
      {block.fields.map((field) => (
        <KeyValue
          key={field.code}
          label={field.title}
          tall={field.fieldType === 'picture' && pictureIn(storedUnder(values, field.code)) !== null}
          {...(field.required ? { missing: t('valueMissing') } : {})}
        >
          {mayWrite && field.edit && field.fieldType === 'picture' ? (
            <ContractorPicture
              id={id}
              title={field.title}
              code={field.code}
              missing={field.required ? t('valueMissing') : null}
              picture={pictureIn(storedUnder(values, field.code))}
            />
          ) : isFilled(storedUnder(values, field.code)) ? (
            <FieldValue field={field} value={storedUnder(values, field.code)} />
          ) : null}
        </KeyValue>
      ))}
    </KeyValues>
  )
}

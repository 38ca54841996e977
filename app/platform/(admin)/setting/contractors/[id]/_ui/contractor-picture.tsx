'use client'

import { PictureField } from '@/components/form/picture-field'

const load = async () => {
  const { patchContractorPicture, deleteContractorPicture } = await import('@/lib/companies/contractors/contract')
  return { replace: patchContractorPicture, remove: deleteContractorPicture }
}

type Props = { id: string; title: string; code: string; picture: string | null; missing: string | null }

/** The picture in a field of a contractor. */
export function ContractorPicture({ id, code, ...field }: Props) {
  return <PictureField {...field} load={load} params={{ id, code }} />
}

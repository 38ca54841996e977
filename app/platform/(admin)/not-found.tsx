import { CardNotFound } from '@/components/card/card-not-found'

export default CardNotFound

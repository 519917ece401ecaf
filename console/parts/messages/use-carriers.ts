import { useQuery } from '@tanstack/react-query'
import type { DeliveryModule } from '../../../packages/client/src/admin.ts'
import { deploymentQuery } from '../../shell/deployment-query.ts'
import { type Carriers, carriersOf } from './carriers.ts'

/** Undefined until the deployment is known. */
export function useCarriers(delivery: DeliveryModule | undefined): Carriers | undefined {
  const { data } = useQuery(deploymentQuery)
  return data && carriersOf(data, delivery)
}

import type { Logger } from '../base/logger';
import { ChangeFolders } from './changeFolders';
import { DraftStore } from './draftStore';
import { ImageStore } from './imageStore';
import { PlaceStore } from './placeStore';
import { storageTwins } from './storageTwins';

/** What outlives the window. */
export interface Stores {
  readonly drafts: DraftStore;
  readonly places: PlaceStore;
  readonly images: ImageStore;
  readonly changes: ChangeFolders;
}

/** @param storage the folder that the editor gives to this workspace */
export async function openStores(storage: string, log: Logger): Promise<Stores> {
  const drafts = await DraftStore.open(storageTwins(storage, 'drafts.json'), log);
  const places = await PlaceStore.open(storageTwins(storage, 'places.json'), log);
  const folders = storageTwins(storage, 'images');
  const images = new ImageStore({ folders, log, now: () => Date.now() });
  const named = [...drafts.allImages, ...places.images];
  images.know(named);
  const ids = new Set(named.map(({ id }) => id));
  // Nobody waits for it.
  void images.sweep((id) => ids.has(id));
  const changeFolders = storageTwins(storage, 'changes');
  const changes = new ChangeFolders({ folders: changeFolders, now: () => Date.now() });
  void changes.sweep();
  return { drafts, places, images, changes };
}

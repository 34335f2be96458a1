namespace orogen::app {}

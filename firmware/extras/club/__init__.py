"""Many tables, one wall: tables publish to the club's broker, a hall keeps the evening and shows it. All optional."""
